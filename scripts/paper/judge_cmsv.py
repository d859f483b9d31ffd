# SPDX-License-Identifier: Apache-2.0
"""judge_cmsv.py - judgements of statements."""

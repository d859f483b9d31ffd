# SPDX-License-Identifier: Apache-2.0
"""judge_gg.py - judgements of statements."""

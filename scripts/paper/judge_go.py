# SPDX-License-Identifier: Apache-2.0
"""judge_go.py - judgements of statements."""

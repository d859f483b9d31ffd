# SPDX-License-Identifier: Apache-2.0
"""judge_leighton.py - judgements of statements."""

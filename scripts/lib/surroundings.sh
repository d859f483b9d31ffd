# SPDX-License-Identifier: Apache-2.0
# surroundings.sh - sourced by tests: drops variables of the caller that change what the tools print or where they look.
# shellcheck shell=bash

export LC_ALL=C.UTF-8 LANGUAGE= # numbers with a point, and messages in English
# With CI or BUILD_NUMBER set, as services for tests have them, pytest's lists of what failed are longer, and in several lines.
unset CI BUILD_NUMBER PYTEST_ADDOPTS PYTEST_PLUGINS PYTHONOPTIMIZE PYTHONWARNINGS # pytest
unset COLUMNS LINES FORCE_COLOR PY_COLORS CLICOLOR_FORCE GREP_OPTIONS TZ          # how wide, in which colours, in which zone
unset CDPATH BASH_ENV ENV MAKEFILES GNUTERM                                       # shells, make, gnuplot
set +o posix                                                                      # and POSIXLY_CORRECT with it

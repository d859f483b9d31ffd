# SPDX-License-Identifier: Apache-2.0
"""setup.py - the compiled half of the Python package, made under build/; all else stands in pyproject.toml."""
import os

from setuptools import setup

os.makedirs("build/wheel", exist_ok=True)
setup(cffi_modules=["cmodel/python/build_ffi.py:ffi"],
      options={"bdist_wheel": {"py_limited_api": "cp39"}, "egg_info": {"egg_base": "build/wheel"},
               "build": {"build_base": "build/wheel"}})

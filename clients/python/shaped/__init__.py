# SPDX-License-Identifier: Apache-2.0
"""Shaped from Python: what is known about the sizes of the tensors in a program."""

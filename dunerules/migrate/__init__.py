"""Bringing files of older formats to the present one."""

"""Tools for developers: capture, training, pictures, reports."""

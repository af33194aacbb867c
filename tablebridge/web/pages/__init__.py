"""The pages: one module per page with its view functions and its live stream, under the name of its
template.
"""

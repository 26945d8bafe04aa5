"""The laboratory: what is measured with Heirwood, outside the package that is installed.

paper         the paper's tables and figures, ours beside theirs    make paper
field         other learners on the same rows                       make field
benchmarks    seconds and bytes                                     make bench
common        what several of these need
"""

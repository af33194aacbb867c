"""Makes what is given to people: `python -m release deb` the Debian package, `image` the container image,
`all` everything of a release. Two runs on one commit make the same bytes.

    tree.py       the checkout: its version, its commit's time, its wheel and source archive
    deb.py        the Debian package
    debian/       its maintainer scripts and its question
    image.py      the container image: Debian's packages, and on them the Debian package's files
    oci.py        how an image is written
    container/    its first process, the compose file
    sbom.py       the bill of materials, CycloneDX
    all.py        a whole release, built twice and compared
"""

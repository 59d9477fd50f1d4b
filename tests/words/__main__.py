"""Writes the snapshots anew."""

from tests.words import HERE, LANGUAGES, MAKERS

if __name__ == "__main__":
    for name, maker in MAKERS.items():
        for code in LANGUAGES:
            file = HERE / f"{name}.{code}.txt"
            file.write_text("\n".join(maker(code)) + "\n", "utf-8")
            print(f"{file}: {file.stat().st_size:,} bytes")

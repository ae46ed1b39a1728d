"""Markers planted into the texts of a recorded answer, at random word ends."""

import random
import re

# Code, links with the brackets around them, addresses and private markers: nothing is planted into them.
CLOSED = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|\(?\[[^\]]*\]\([^)]*\)\)?|https?://\S+|\ue200.*?\ue201", re.S)
WORD_END = re.compile(r"(?<=\w)(?=[\s.,;:!?]|\Z)")


class Plants:
    """The markers planted into `texts`, by key of the text."""

    def __init__(self, texts, seed):
        self.random = random.Random(seed)
        self.urls = []
        self.texts = texts
        self.plants = {key: self.choose(text) for key, text in self.texts.items()}

    def choose(self, text):
        closed = [one.span() for one in CLOSED.finditer(text)]
        ends = [one.start() for one in WORD_END.finditer(text)
                if not any(start < one.start() < end for start, end in closed)]
        places = sorted(self.random.sample(ends, min(len(ends), self.random.randint(1, 12))))
        out = []
        for place in places:
            self.urls.append(f"https://plant.example/{len(self.urls)}")
            out.append((place, f" [Plant]({self.urls[-1]})"))
        return out

    def text(self, key, first, last):
        """The planted text for a range of the original one. A marker at its end belongs to it."""
        out, at = "", first
        for place, marker in self.plants[key]:
            if first < place <= last:
                out += self.texts[key][at:place] + marker
                at = place
        return out + self.texts[key][at:last]

    def pieces(self, run):
        """Deltas that follow each other directly, cut elsewhere and more often."""
        text = "".join(run)
        count = min(len(text) - 1, len(run) - 1 + self.random.randint(0, 6))
        cuts = sorted(self.random.sample(range(1, len(text)), count)) if count > 0 else []
        return [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)])]

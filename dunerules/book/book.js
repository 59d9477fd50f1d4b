"use strict";
// Search as you type: every word must occur in an entry, whatever its accents and capitals.
(() => {
  const strokes = { ł: "l", đ: "d", ø: "o", ħ: "h", ŧ: "t", ı: "i", æ: "ae", œ: "oe", ß: "ss", þ: "th", ð: "d" };
  const folded = (text) =>
    text
      .toLowerCase()
      .normalize("NFD")
      .replace(/\p{M}/gu, "")
      .replace(/[łđøħŧıæœßþð]/g, (letter) => strokes[letter])
      .replace(/\s+/g, " ");

  const field = document.getElementById("search");
  const found = document.getElementById("found");
  const details = document.querySelector("nav details");
  const entries = [...document.querySelectorAll("main .entry, main .found")].map((element) => ({
    element,
    text: folded(element.textContent + " " + (element.closest(".part")?.querySelector("h2")?.textContent ?? "")),
  }));
  const holders = [...document.querySelectorAll("main .part, main .group")];
  const lines = [...document.querySelectorAll("nav li")].map((element) => ({
    element,
    target: document.getElementById(element.querySelector("a").hash.slice(1)),
  }));

  const search = () => {
    const words = folded(field.value).split(" ").filter(Boolean);
    let count = 0;
    for (const { element, text } of entries) {
      const shown = words.every((word) => text.includes(word));
      element.hidden = !shown;
      count += shown;
    }
    for (const holder of holders) {
      holder.hidden = !holder.querySelector(".entry:not([hidden]), .found:not([hidden])");
    }
    for (const { element, target } of lines) {
      element.hidden = target.hidden;
    }
    found.textContent = words.length ? found.dataset.found.replace("{n}", count) : "";
  };

  // A link must lead somewhere, also while a search hides its target.
  const visit = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && target.closest("[hidden]")) {
      field.value = "";
      search();
      target.scrollIntoView();
    }
  };

  field.addEventListener("input", search);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      field.value = "";
      search();
    }
  });
  addEventListener("hashchange", visit);
  addEventListener("beforeprint", () => { details.open = true; });
  const wide = matchMedia("(min-width: 60rem)");
  const fold = () => { details.open = wide.matches; };
  wide.addEventListener("change", fold);
  fold();
  search();
})();

// The page is whole without this: it filters the findings, copies commands, and unfolds what is printed.
"use strict";
(() => {
  const form = document.querySelector(".filters");
  if (form) {
    const findings = [...document.querySelectorAll(".finding")].map((item) => ({
      item,
      severity: item.dataset.severity,
      source: item.dataset.source,
      text: item.textContent.toLowerCase(),
    }));
    const shown = form.querySelector(".shown");
    const chosen = (name) => new Set([...form.querySelectorAll(`input[name=${name}]:checked`)].map((box) => box.value));
    const apply = () => {
      const severities = chosen("severity");
      const sources = chosen("source");
      const words = form.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
      let count = 0;
      for (const each of findings) {
        const fits =
          severities.has(each.severity) && sources.has(each.source) && words.every((word) => each.text.includes(word));
        each.item.hidden = !fits;
        count += fits;
      }
      shown.textContent = `${count} of ${findings.length} shown`;
    };
    form.addEventListener("input", apply);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.hidden = false;
    apply();
  }

  for (const button of document.querySelectorAll(".copy")) {
    const code = button.parentElement.querySelector("code");
    const say = (text) => {
      button.textContent = text;
      setTimeout(() => (button.textContent = "Copy"), 2000);
    };
    button.addEventListener("click", () => {
      const select = () => {
        getSelection().selectAllChildren(code);
        say("Selected");
      };
      if (navigator.clipboard) navigator.clipboard.writeText(code.textContent).then(() => say("Copied"), select);
      else select();
    });
    button.hidden = false;
  }

  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    for (const each of opened) each.open = true;
  });
  addEventListener("afterprint", () => {
    for (const each of opened) each.open = false;
  });

  const unfold = () => {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    const folded = target && target.querySelector(":scope > details:only-of-type:not([open])");
    if (folded && target.id === "resources") folded.open = true;
  };
  addEventListener("hashchange", unfold);
  unfold();
})();

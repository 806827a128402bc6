// Every text of the page that a reader sees, with its contrast against what is behind it (WCAG 2.2, 1.4.3).
() => {
  const parsed = (color) => {
    const [r, g, b, a = 1] = color.match(/[\d.]+/g).map(Number);
    return [r, g, b, a];
  };
  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((c) => ((c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (element) => {
    const layers = [];
    for (let each = element; each; each = each.parentElement) {
      const color = parsed(getComputedStyle(each).backgroundColor);
      layers.push(color);
      if (color[3] === 1) break;
    }
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255, 1]);
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.data.trim();
    const element = walker.currentNode.parentElement;
    if (!text || !element.checkVisibility({ visibilityProperty: true }) || element.closest("title, style, script")) continue;
    const style = getComputedStyle(element);
    const inDrawing = element.closest("svg.map > svg");
    const front = parsed(element.closest("svg") ? style.fill : style.color);
    const back = inDrawing ? parsed(getComputedStyle(inDrawing.querySelector("rect")).fill) : behind(element);
    const [light, dark] = [luminance(over(front, back)), luminance(back)].sort((a, b) => b - a);
    found.push({ text: text.slice(0, 60), ratio: (light + 0.05) / (dark + 0.05) });
  }
  return found;
};

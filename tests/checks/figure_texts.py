"""Texts of figures in a browser: none lies on another, and none reaches beyond its figure."""

# Boxes of texts are higher than their letters: a sixth at both ends is left out.
PROBE = """(() => {
  const box = e => { const b = e.getBoundingClientRect();
    const upright = b.height < b.width || e.textContent.length < 3;
    const spare = (upright ? b.height : b.width) / 6;
    return upright ? [b.left, b.top + spare, b.right, b.bottom - spare]
                   : [b.left + spare, b.top, b.right - spare, b.bottom]; };
  const faults = [];
  const roots = document.documentElement.tagName === 'svg' ? [document.documentElement]
    : [...document.querySelectorAll('figure > svg')];
  for (const root of roots) {
    const all = root.getBoundingClientRect();
    if (all.width === 0) continue;
    const name = root.getAttribute('aria-label') || root.querySelector('title').textContent;
    const texts = [...root.querySelectorAll('text')].filter(e => e.textContent.trim());
    const boxes = texts.map(box);
    boxes.forEach((a, i) => {
      if (a[0] < all.left - 1 || a[1] < all.top - 1 ||
          a[2] > all.right + 1 || a[3] > all.bottom + 1)
        faults.push(name + ': ' + texts[i].textContent + ' reaches beyond the figure');
      for (let k = 0; k < i; k++) {
        const b = boxes[k];
        if (a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3])
          faults.push(name + ': ' + texts[i].textContent + ' lies on ' + texts[k].textContent);
      }
    });
    if (!texts.length) faults.push(name + ': there are no texts');
  }
  return faults;
})()"""

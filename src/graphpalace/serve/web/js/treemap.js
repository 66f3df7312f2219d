// Squarified treemaps (Bruls, Huizing, van Wijk 2000): areas are in proportion and as close to squares as possible.

/** @typedef {{ x: number, y: number, w: number, h: number }} Box */

/**
 * Returns the items, each with a `size` > 0, with their boxes, largest first.
 * @template Item
 * @param {(Item & { size: number })[]} items
 * @param {Box} box
 * @returns {(Item & Box)[]}
 */
export function squarify(items, { x, y, w, h }) {
  const total = items.reduce((sum, item) => sum + item.size, 0);
  if (total <= 0 || w <= 0 || h <= 0) return [];
  const scale = (w * h) / total;
  const left = items.map((item) => ({ item, area: item.size * scale })).sort((a, b) => b.area - a.area);
  const placed = [];
  let free = { x, y, w, h };
  while (left.length > 0) {
    const side = Math.min(free.w, free.h);
    const row = [left.shift()];
    while (left.length > 0 && worst([...row, left[0]], side) <= worst(row, side)) row.push(left.shift());
    free = lay(row, free, placed);
  }
  return placed;
}

function worst(row, side) {
  const sum = row.reduce((all, one) => all + one.area, 0);
  const most = row[0].area;
  const least = row.at(-1).area;
  return Math.max((side * side * most) / (sum * sum), (sum * sum) / (side * side * least));
}

function lay(row, free, placed) {
  const sum = row.reduce((all, one) => all + one.area, 0);
  const upright = free.w >= free.h;
  const depth = sum / (upright ? free.h : free.w);
  let along = 0;
  for (const { item, area } of row) {
    const length = area / depth;
    placed.push(
      upright
        ? { ...item, x: free.x, y: free.y + along, w: depth, h: length }
        : { ...item, x: free.x + along, y: free.y, w: length, h: depth },
    );
    along += length;
  }
  return upright
    ? { x: free.x + depth, y: free.y, w: free.w - depth, h: free.h }
    : { x: free.x, y: free.y + depth, w: free.w, h: free.h - depth };
}

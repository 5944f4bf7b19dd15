/** Pieces of SVG charts that read well on a light and on a dark page, with fonts every machine has. */

const STYLE = `<style>
text{font:12px system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif;fill:#1f2933}
.title{font-size:15px;font-weight:600}.quiet{fill:#66727f}.strong{font-weight:600}.end{text-anchor:end}.middle{text-anchor:middle}
.axis{stroke:#c3cbd4;stroke-width:1}.own{fill:#2563eb}.floor{fill:#94a3b8}.peer{fill:#d97706}
.line{fill:none;stroke:#2563eb;stroke-width:2}.second{stroke:#d97706}.dashed{stroke-dasharray:4 4}.range{stroke:#2563eb;stroke-width:1;opacity:.5}
@media (prefers-color-scheme:dark){text{fill:#e5e9ee}.quiet{fill:#9aa6b2}.axis{stroke:#47525e}.own{fill:#60a5fa}
.floor{fill:#64748b}.peer{fill:#f59e0b}.line{stroke:#60a5fa}.second{stroke:#f59e0b}.range{stroke:#60a5fa}}
</style>`;

export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Rounded to tenths: enough for a chart, and a tiny difference of a figure does not change the file. */
const place = (value: number): string => String(Math.round(value * 10) / 10);

export const text = (x: number, y: number, content: string, style = ''): string =>
  `<text x="${place(x)}" y="${place(y)}"${style === '' ? '' : ` class="${style}"`}>${escapeText(content)}</text>`;

export const bar = (x: number, y: number, width: number, height: number, style: string): string =>
  `<rect x="${place(x)}" y="${place(y)}" width="${place(Math.max(1, width))}" height="${place(height)}" rx="2" class="${style}"/>`;

export const segment = (x1: number, y1: number, x2: number, y2: number, style: string): string =>
  `<line x1="${place(x1)}" y1="${place(y1)}" x2="${place(x2)}" y2="${place(y2)}" class="${style}"/>`;

export const polyline = (points: readonly (readonly [number, number])[], style = 'line'): string =>
  `<polyline class="${style}" points="${points.map(([x, y]) => `${place(x)},${place(y)}`).join(' ')}"/>`;

export const dot = (x: number, y: number): string =>
  `<circle cx="${place(x)}" cy="${place(y)}" r="3.5" class="own"/>`;

/** `description` is what a screen reader says. */
export const svg = (width: number, height: number, description: string, parts: readonly string[]): string =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeText(description)}">`,
    STYLE,
    ...parts,
    '</svg>\n',
  ].join('\n');

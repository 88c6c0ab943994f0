/** Icons beside words that say the same. */
import type { VNode } from 'preact'
import { html } from './html.ts'

const PATHS: Readonly<Record<string, string>> = {
  people: 'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20a6.5 6.5 0 0 1 13 0M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.5a6.5 6.5 0 0 1 3.5 5.5',
  bulkPeople: 'M4 5h12v12H4zM8 21h12V9M7 14l3-3 2 2 1.5-1.5L16 14',
  device: 'M7 3h10v18H7zM11 18h2M10 6.5h4',
  detection:
    'M4 8V5a1 1 0 0 1 1-1h3M16 4h3a1 1 0 0 1 1 1v3M20 16v3a1 1 0 0 1-1 1h-3M8 20H5a1 1 0 0 1-1-1v-3M9 10v.5M15 10v.5M9 15c2 1.5 4 1.5 6 0',
  settings: 'M4 7h9M17 7h3M15 5v4M4 17h3M11 17h9M9 15v4M4 12h1M9 12h11M7 10v4',
  time: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.5 2',
  network: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
  volume: 'M4 10v4h3l5 4V6L7 10zM16 9c1.5 1.5 1.5 4.5 0 6M18.5 6.5c3 3 3 8 0 11',
  screenSaver: 'M3 5h18v11H3zM9 20h6M12 16v4',
  records: 'M12 3v11M8 10l4 4 4-4M4 17v3h16v-3',
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5a7.5 7.5 0 0 1 15 0',
  leave: 'M14 4h5v16h-5M4 12h10M10.5 8.5L14 12l-3.5 3.5',
  warning: 'M12 4L2.5 20h19zM12 10v4.5M12 17.2v.3',
  lock: 'M6 11h12v9H6zM9 11V8a3 3 0 0 1 6 0v3',
}

/** An icon by its name: that of a page, or one of `leave`, `warning`, `lock`. */
export const Icon = ({ name }: { name: string }): VNode =>
  html`<svg viewBox="0 0 24 24" class="icon" aria-hidden="true"><path d=${PATHS[name]} /></svg>`

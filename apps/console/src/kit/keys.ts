/** The keys of the console, in one table: the code that handles them reads it, and the list of keys shows it. */

/** By place and action, named as in a `KeyboardEvent`; a palette key is pressed with Ctrl. Words: `keys:<place>.<what>`. */
export const KEYS = {
  everywhere: { palette: ['k'], filter: ['/'], keys: ['?'], alarm: ['F8'], close: ['Escape'] },
  list: { move: ['ArrowUp', 'ArrowDown'], ends: ['Home', 'End'], open: ['Enter'], mark: [' '] },
  drawer: { step: ['ArrowUp', 'ArrowDown'], close: ['Escape'] },
  visits: { accept: ['a'], refuse: ['r'], signIn: ['s'], signOff: ['o'], print: ['p'] },
  alarms: { begin: ['Enter', 'd'], first: ['1'], second: ['2'], third: ['3'] },
  approval: { accept: ['Enter'], reject: ['r'] },
  guard: {
    step: ['ArrowLeft', 'ArrowRight'],
    live: ['End'],
    door: ['o'],
    doors: ['d'],
    sound: ['s'],
    fullScreen: ['f'],
    leave: ['Escape'],
  },
} as const

export const isKey = (keys: readonly string[], key: string): boolean => keys.includes(key)

const TYPED_INTO = 'input:not([type="checkbox"], [type="radio"]), textarea, [contenteditable]'
/** Return whether a key press belongs to a field that the user types into. */
export const isTyping = ({ target }: Pick<KeyboardEvent, 'target'>): boolean =>
  target instanceof Element && target.closest(TYPED_INTO) !== null

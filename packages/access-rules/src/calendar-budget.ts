/** How much of a calendar may be looked at: a small file can name days without end. */

/** Why a calendar cannot be read; `rule` words it for a form. Nothing else is thrown for what a file says. */
export class CalendarUnreadable extends Error {
  readonly rule: 'calendarUnreadable' | 'calendarEmpty' | 'calendarTooMuch'
  constructor(rule: CalendarUnreadable['rule']) {
    super(rule)
    this.rule = rule
  }
}

/** Counts what is looked at, whether or not anything comes of it; `spend` throws when all is used up. */
export interface Budget {
  spend(steps: number): void
}

/** Steps one file may take: far more than holidays need, and well under a second. */
export const CALENDAR_STEPS = 1_000_000

/** What takes longer than a step counts as so many. */
export const COST = {
  /** A day that is entered. */
  day: 10,
  /** A time that is looked up on the clock of another zone. */
  zone: 200,
} as const

/** @throws CalendarUnreadable from `spend`, before more than `most` steps are spent */
export function createBudget(most = CALENDAR_STEPS): Budget & { readonly spent: number } {
  let spent = 0
  return {
    spend(steps) {
      // Said this way round, a cost that is no number is none that can be paid.
      if (!(spent + steps <= most)) throw new CalendarUnreadable('calendarTooMuch')
      spent += steps
    },
    get spent() {
      return spent
    },
  }
}

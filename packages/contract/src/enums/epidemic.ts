import { defineEnum } from './definition.ts'

export const healthCodeColour = defineEnum(
  'healthCodeColour',
  { green: 'green', yellow: 'yellow', red: 'red' },
  { green: 'success', yellow: 'warning', red: 'error' },
)

/** Maximum age of a negative test in hours. */
export const nucleicAcidWindow = defineEnum('nucleicAcidWindow', { oneDay: 24, twoDays: 48, threeDays: 72 })

/** Minimum number of doses. */
export const vaccineMinimum = defineEnum('vaccineMinimum', { one: 1, two: 2, three: 3 })

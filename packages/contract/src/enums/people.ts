import { defineEnum } from './definition.ts'

export const gender = defineEnum('gender', { male: 1, female: 2, unknown: 3 })

/** The card a person carries; keys and issued cards have `keyCardType`. */
export const personCardType = defineEnum('personCardType', { other: 0, idCard: 1, icCard: 2 })

export const cardNumberFormat = defineEnum('cardNumberFormat', { decimal: 'decimal', hex: 'hex' })

/** `expired`: the validity has ended; a disabled person stays `disabled`. */
export const personStatus = defineEnum(
  'personStatus',
  { disabled: 0, enabled: 1, expired: 2 },
  { disabled: 'neutral', enabled: 'success', expired: 'warning' },
)

export const contactRelation = defineEnum('contactRelation', {
  father: 1,
  mother: 2,
  paternalGrandfather: 3,
  paternalGrandmother: 4,
  maternalGrandfather: 5,
  maternalGrandmother: 6,
  other: 7,
})

export const personGroupType = defineEnum('personGroupType', { staff: 1, blacklist: 2, visitor: 3 })

/** Days until the end of a validity. */
export const expiryFilterDays = defineEnum('expiryFilterDays', { week: 7, halfMonth: 15, month: 30 })

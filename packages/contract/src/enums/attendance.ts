import { defineEnum } from './definition.ts'

export const attendanceResult = defineEnum(
  'attendanceResult',
  { normal: 1, noPunch: 2, absent: 3, late: 5, leftEarly: 6, overtime: 7 },
  { normal: 'success', noPunch: 'warning', absent: 'error', late: 'warning', leftEarly: 'warning', overtime: 'processing' },
)

export const commuteRecordType = defineEnum(
  'commuteRecordType',
  { onDuty: 1, offDuty: 2, noOffDuty: 8, noOnDuty: 9 },
  { onDuty: 'success', offDuty: 'success', noOffDuty: 'warning', noOnDuty: 'warning' },
)

export const shiftPairs = defineEnum('shiftPairs', { one: 1, two: 2, three: 3 })

export const shiftType = defineEnum('shiftType', { fixed: 'fixed', nonFixed: 'nonFixed' })

export const specialCardDate = defineEnum('specialCardDate', { mandatory: 'mandatory', nonMandatory: 'nonMandatory' })

import { defineEnum } from './definition.ts'

export const strategyKind = defineEnum('strategyKind', { staff: 'staff', visitor: 'visitor' })

/** Whose faces and cards an access rule admits. */
export const authorisedObject = defineEnum('authorisedObject', { person: 'person', contact: 'contact', both: 'both' })

/** The two values of `accessMethod` by which devices of an access rule are distinguished. */
export const accessType = defineEnum('accessType', { face: 1, card: 4 })

export const accessMethod = defineEnum('accessMethod', {
  face: 1,
  idCardAndNumber: 2,
  idCardAndFace: 3,
  card: 4,
  cardAndFace: 5,
  qrCode: 6,
  qrCodeAndFace: 7,
  devicePassword: 8,
  devicePasswordAndFace: 9,
  personalPasswordAndFace: 10,
  smartPersonalPasswordAndFace: 11,
  handprint: 12,
  idVerification: 13,
  cardAndPassword: 14,
  personalPassword: 15,
})

/** How an access record was verified. */
export const verifyType = defineEnum('verifyType', { face: 1, card: 2, personId: 3, personCard: 4 })

export const accessResult = defineEnum('accessResult', { rejected: 0, allowed: 1 }, { rejected: 'error', allowed: 'success' })

export const maskStatus = defineEnum('maskStatus', { yes: 1, no: 0 })

export const helmetStatus = defineEnum('helmetStatus', { yes: 1, no: 0 })

export const temperatureStatus = defineEnum(
  'temperatureStatus',
  { fever: 1, normal: 2, low: 3, measurementFailed: 4 },
  { fever: 'error', normal: 'success', low: 'warning', measurementFailed: 'warning' },
)

/** Marks instead of a temperature; never converted, never averaged. */
export const temperatureSpecialValue = defineEnum('temperatureSpecialValue', { warning: -1, blank: -2 })

/** Reasons of a refusal. 901 to 904 are not login codes here. An unknown code is shown as a number, with any text that was sent with it. */
export const failReason = defineEnum('failReason', {
  faceVerifyFailed: 2,
  icCard: 3,
  personId: 4,
  qrCode: 5,
  outsidePassageTime: 6,
  noMask: 7,
  abnormalTemperature: 8,
  cloudNeededButOffline: 9,
  cloudCheckTimedOut: 10,
  interfaceTimedOut: 11,
  deviceNotConfigured: 12,
  addressNotConfigured: 13,
  cloudRefused: 14,
  cloudHandlingFailed: 15,
  verificationTimedOut: 16,
  livenessCheckFailed: 17,
  healthCode: 18,
  noAccessStrategy: 19,
  handprintFailed: 20,
  passwordFailed: 21,
  unknown: 99,
  substitute: 102,
  businessMessageOnly: 901,
  personReturned: 902,
  areaFull: 903,
  notRegistered: 904,
})

/** Synchronisation state of a person on a device. `photoMissing` is not in the specification: there is no photo that a device could use. */
export const personSyncStatus = defineEnum(
  'personSyncStatus',
  { syncing: 0, failed: 1, success: 2, deleting: 3, overtime: 4, photoMissing: 5 },
  { syncing: 'processing', failed: 'error', success: 'success', deleting: 'processing', overtime: 'warning', photoMissing: 'warning' },
)

/** `today` takes effect at once, within ten minutes at the latest; `tomorrow` at 00:00 of the park. */
export const ruleEffective = defineEnum('ruleEffective', { today: 'today', tomorrow: 'tomorrow' })

export const restrictionLimitType = defineEnum('restrictionLimitType', { antiSneakBack: 'antiSneakBack', flowLimit: 'flowLimit' })

export const parkSyncApplicationStatus = defineEnum(
  'parkSyncApplicationStatus',
  { applied: 'applied', agreed: 'agreed', refused: 'refused', dismissed: 'dismissed' },
  { applied: 'warning', agreed: 'success', refused: 'error', dismissed: 'neutral' },
)

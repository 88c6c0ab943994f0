import { defineEnum } from './definition.ts'

export const deviceOnlineStatus = defineEnum('deviceOnlineStatus', { offline: 0, online: 1 }, { offline: 'error', online: 'success' })

export const deviceAuthorisationStatus = defineEnum(
  'deviceAuthorisationStatus',
  { unauthorised: 0, authorised: 1, authorising: 2 },
  { unauthorised: 'warning', authorised: 'success', authorising: 'processing' },
)

export const deviceLicense = defineEnum('deviceLicense', { absent: 0, present: 1 }, { absent: 'warning', present: 'success' })

/** `faceGate` is offered only when a device is edited, `identifyCamera` occurs in alarm bubbles only. */
export const deviceType = defineEnum('deviceType', {
  captureCamera: 1,
  faceGate: 2,
  faceAccessController: 3,
  cardMachine: 4,
  identifyCamera: 5,
  partnerDevice: 6,
  mobileAttendanceMachine: 7,
  healthCodeClient: 8,
  mobileHealthCodeTerminal: 10,
  aiBox: 11,
  faceGateMachine: 12,
  multifunctionCollector: 13,
  nvr: 14,
  gateController: 15,
  cardGateMachine: 16,
})

export const deviceModel = defineEnum('deviceModel', {
  camera1: 1,
  camera2: 2,
  camera3: 3,
  standard: 4,
  android: 5,
  camera6: 6,
  nvr7: 7,
  gateController: 8,
  nvr9: 9,
  nvr10: 10,
  camera11: 11,
  camera12: 12,
})

/** Number of doors of a controller. */
export const deviceChannelCount = defineEnum('deviceChannelCount', { single: 1, double: 2, four: 4 })

export const passDirection = defineEnum('passDirection', { in: 1, out: 2 })

export const networkMode = defineEnum('networkMode', { dhcp: 1, static: 2 })

export const gateStatus = defineEnum('gateStatus', { none: 0, close: 1, open: 2 }, { none: 'neutral', close: 'success', open: 'warning' })

/** `operateType` of controlDoor. */
export const doorOperation = defineEnum('doorOperation', { open: 1, normallyOpen: 2, close: 3 })

export const openDoorStatus = defineEnum(
  'openDoorStatus',
  { requesting: 0, success: 1, failed: 2, notConnected: 3 },
  { requesting: 'processing', success: 'success', failed: 'error', notConnected: 'error' },
)

/** `errorType` of controlDoor. */
export const doorControlErrorType = defineEnum('doorControlErrorType', { timeout: 0, offline: 1, business: 2, businessOther: 3, error: 4 })

/** A door as the control dialog shows it. */
export const doorState = defineEnum(
  'doorState',
  {
    opening: 'opening',
    opened: 'opened',
    closing: 'closing',
    closed: 'closed',
    alwaysOpening: 'alwaysOpening',
    alwaysOpen: 'alwaysOpen',
    offline: 'offline',
    busy: 'busy',
  },
  {
    opening: 'processing',
    opened: 'success',
    closing: 'processing',
    closed: 'neutral',
    alwaysOpening: 'processing',
    alwaysOpen: 'warning',
    offline: 'error',
    busy: 'error',
  },
)

/** Whether an app version is offered to a device or forced. */
export const updateType = defineEnum('updateType', { prompt: 0, forced: 1 })

export const temperatureUnit = defineEnum('temperatureUnit', { celsius: 'C', fahrenheit: 'F' })

export const keyCardType = defineEnum('keyCardType', { m1: 0, cpu: 1 })

export const keyStatus = defineEnum(
  'keyStatus',
  { notCreated: 'notCreated', created: 'created' },
  { notCreated: 'neutral', created: 'success' },
)

import { defineEnum } from './definition.ts'

export const visitReason = defineEnum('visitReason', { business: 1, interview: 2, meeting: 3, other: 4 })

export const visitorSource = defineEnum('visitorSource', { reservation: 1, invitation: 2, temporary: 3 })

export const reservationChannel = defineEnum('reservationChannel', { platform: 3, mobile: 4 })

export const visitorSignInSource = defineEnum('visitorSignInSource', { web: 1, visitorMachine: 2 })

/** The values of a choice are separated by semicolons. */
export const customFieldInputType = defineEnum('customFieldInputType', { input: 1, select: 2, radio: 3, multiple: 4, image: 5 })

export const visitorStatus = defineEnum(
  'visitorStatus',
  {
    toConfirm: 0,
    notYetVisited: 1,
    checkedIn: 2,
    signedOff: 3,
    expired: 4,
    pendingReview: 5,
    refused: 6,
    cancelled: 7,
    left: 8,
    awaitingVerification: 9,
  },
  {
    toConfirm: 'warning',
    notYetVisited: 'processing',
    checkedIn: 'success',
    signedOff: 'neutral',
    expired: 'neutral',
    pendingReview: 'warning',
    refused: 'error',
    cancelled: 'neutral',
    left: 'neutral',
    awaitingVerification: 'warning',
  },
)

export const visitorAuditStatus = defineEnum(
  'visitorAuditStatus',
  { pending: 'pending', passed: 'passed', rejected: 'rejected' },
  { pending: 'warning', passed: 'success', rejected: 'error' },
)

export const visitorConfigTab = defineEnum('visitorConfigTab', { h5: 'h5', wechat: 'wechat' })

import { defineEnum } from './definition.ts'

export const roleLabel = defineEnum('roleLabel', { admin: 1, editor: 2 })

/** Kind of a role within the installation; not the role's label. */
export const roleSign = defineEnum('roleSign', { admin: 'admin', operator: 'operator', other: 'other', parkAdmin: 'parkAdmin' })

/** State of an account at the token call; all but `enabled` are login codes 901 to 905. */
export const accountState = defineEnum(
  'accountState',
  {
    enabled: 'enabled',
    disabled: 'disabled',
    passwordExpired: 'passwordExpired',
    locked: 'locked',
    expired: 'expired',
    captchaError: 'captchaError',
  },
  { enabled: 'success', disabled: 'neutral', passwordExpired: 'warning', locked: 'error', expired: 'warning', captchaError: 'error' },
)

export const passwordValidity = defineEnum('passwordValidity', { threeMonths: '3m', halfYear: '6m', oneYear: '1y', forever: 'forever' })

/** Field of the profile: shows the upgrade link to roles admin and operator. */
export const deviceUpgradeType = defineEnum('deviceUpgradeType', { linkShown: 1 })

import { defineEnum } from './definition.ts'

export const roleLabel = defineEnum('roleLabel', { admin: 1, editor: 2 })

/** What a role is to the installation; not the role's label. */
export const roleSign = defineEnum('roleSign', { admin: 'admin', operator: 'operator', other: 'other', parkAdmin: 'parkAdmin' })

/** What the token call finds of an account; all but `enabled` are login codes 901 to 905. */
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

/** Of the profile: shows the upgrade link to roles admin and operator. */
export const deviceUpgradeType = defineEnum('deviceUpgradeType', { linkShown: 1 })

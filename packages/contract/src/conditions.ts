/**
 * Conditions of a screen or call besides a permission code: the deployment, the park or the role. The console omits such entries from its
 * menu and the server refuses their calls, both with these functions.
 */
import { deviceUpgradeType } from './enums/identity.ts'
import type { Language } from './envelope.ts'

/** Facts of a session that conditions depend on: `capabilities` of the profile. */
export interface Circumstances {
  roleSign: string
  /** Whether the user belongs to the topmost organisation. */
  atRoot: boolean
  lite: boolean
  privatised: boolean
  /** The current park's customer-manager flag. */
  customerManager: boolean
  /** Of the profile: 1 shows the upgrade link. */
  deviceUpgradeType: number
  /** Whether personal data are shown masked. */
  masking: boolean
}

const isOperator = ({ roleSign }: Circumstances): boolean => roleSign === 'admin' || roleSign === 'operator'

/** As the specification states them (product.txt 2 and 6). */
export const conditions = {
  /** Role other cannot see the watch list. */
  notOther: ({ roleSign }) => roleSign !== 'other',
  /** The customer list: role not other, customer-manager flag 1. */
  customerManager: (circumstances) => circumstances.roleSign !== 'other' && circumstances.customerManager,
  /** Person settings: not the lite version, customer-manager flag 1. */
  staffSetting: (circumstances) => !circumstances.lite && circumstances.customerManager,
  notLite: ({ lite }) => !lite,
  /** Device limits: roles admin and operator. */
  operator: isOperator,
  /**
   * The upgrade link: lite deployments, or upgrade type 1 and role admin or operator. What these roles additionally have in privatised ones
   * is the permission, not the link.
   */
  deviceUpgrade: (circumstances) =>
    circumstances.lite || (isOperator(circumstances) && circumstances.deviceUpgradeType === deviceUpgradeType.linkShown),
  /** Installation-wide screens and calls: role admin or operator, at the root of the tree (AMBIGUITIES 69). */
  installation: (circumstances) => circumstances.atRoot && isOperator(circumstances),
  /** Changing park: not for roles that are bound to their park. */
  changePark: ({ roleSign }) => roleSign !== 'parkAdmin' && roleSign !== 'other',
  /** Calls that return personal data unmasked, such as the secret by which a device receives persons. */
  unmasked: ({ masking }) => !masking,
} as const satisfies Record<string, (circumstances: Circumstances) => boolean>
export type Condition = keyof typeof conditions

/** Return whether a condition holds; true if there is none. */
export const holds = (condition: Condition | undefined, circumstances: Circumstances): boolean =>
  condition === undefined || conditions[condition](circumstances)

/** The parking menu is hidden in English; no permission depends on a language, so only the menu uses this condition. */
export const showsParking = (language: Language): boolean => language !== 'en'

/** Values that the console stores in the browser, under the names of the specification. Logout keeps only those in `OUTLIVES_LOGOUT`. */
import type { Tokens } from '@gatehouse/contract/identity/calls'

export interface Stored {
  token: string
  refreshToken: string
  /** Epoch milliseconds at which each token ends. */
  tokenExpires: number
  refreshExpires: number
  publicKey: string
  areaCode: string
  areaName: string
  profile: { id: string; deviceUpgradeType: number }
  roleSign: string
  parkType: number
  /** The same value as `parkType`: whether titles say park or campus. */
  parkTitle: number
  showCustomerManagerFlag: number
  staffFaceRegisterFlag: number
  customerFaceRegisterFlag: number
  liteVersionDeploy: number
  /** Minutes east of UTC of the current park, from the last answer. */
  timezoneOffset: number
  language: string
  /** Chosen appearance; absent: as the system. */
  theme: 'light' | 'dark'
  menuCollapsed: boolean
  /** Number of tasks that home showed last: the same number of placeholder lines is shown until the tasks are read. */
  homeTasks: number
  /** Groups of the menu that a user has opened or folded. */
  menuGroups: Partial<Record<string, 'open' | 'folded'>>
  /** How lists are shown, by list: `{userId}/{list}`. */
  listSettings: Record<string, { hidden?: string[]; density?: 'compact' | 'comfortable' }>
  /** Epoch milliseconds at which a data screen's session ends. */
  expires: number
  /** The group that the last person of each register was put into. */
  lastGroup: Partial<Record<'staff' | 'customer', string>>
  /** Palm collector and printer that this browser uses; see `deviceHere.ts`. */
  defaultCollector: DeviceHere
  defaultPrinter: DeviceHere
  /** Ids of the users who turned off notices of expired customers. */
  noMoreNotice: string[]
  /** Text by which the server recognises this browser at a login: failures from elsewhere do not lock it out. */
  knownDevice: string
  /** Whether alarms make no sound in this browser, until the next login. */
  alarmsMuted: boolean
  /** Whether passages make no sound in guard mode. */
  guardMuted: boolean
  /** Keys of alarms that have rung, so that only one tab rings; and of closed alarms, so that they are not shown again. */
  alarmsRung: string[]
  alarmsTold: string[]
}
/** A device chosen by one user for one park. */
export interface DeviceHere {
  id: string
  areaCode: string
  device: string
}
type Key = keyof Stored

const OUTLIVES_LOGOUT = ['noMoreNotice', 'knownDevice'] as const satisfies Key[]

export const TOKEN_KEYS = ['token', 'refreshToken', 'tokenExpires', 'refreshExpires'] as const satisfies Key[]

/** Return the values that are stored for tokens. @param now when the tokens were issued; epoch milliseconds */
export const keptTokens = (tokens: Tokens, now: number): Pick<Stored, (typeof TOKEN_KEYS)[number]> => ({
  token: tokens.access_token,
  refreshToken: tokens.refresh_token,
  tokenExpires: now + tokens.expires_in * 1000,
  refreshExpires: now + tokens.refresh_expires_in * 1000,
})

/** Access to `localStorage`; a value that cannot be parsed counts as absent. */
export const storage = {
  get<K extends Key>(key: K): Stored[K] | undefined {
    const text = localStorage.getItem(key)
    if (text === null) return undefined
    try {
      return JSON.parse(text) as Stored[K]
    } catch {
      return undefined
    }
  },
  set<K extends Key>(key: K, value: Stored[K]): void {
    localStorage.setItem(key, JSON.stringify(value))
  },
  remove(...keys: Key[]): void {
    for (const key of keys) localStorage.removeItem(key)
  },
  /** Delete the values of a session. Drafts stay for the same user, unless the user logs out. */
  clear({ drafts }: { drafts: 'keep' | 'drop' }): void {
    const kept = OUTLIVES_LOGOUT.map((key) => [key, localStorage.getItem(key)] as const)
    localStorage.clear()
    if (drafts === 'drop') sessionStorage.clear()
    for (const [key, text] of kept) if (text !== null) localStorage.setItem(key, text)
  },
}

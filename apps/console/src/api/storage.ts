/** What the console keeps in the browser, under the names of the specification. Logout leaves only what `OUTLIVES_LOGOUT` names. */
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
  /** Decides whether titles speak of a park or of a campus: the park type again. */
  parkTitle: number
  showCustomerManagerFlag: number
  staffFaceRegisterFlag: number
  customerFaceRegisterFlag: number
  liteVersionDeploy: number
  /** Minutes east of UTC of the current park, as the last answer said. */
  timezoneOffset: number
  language: string
  /** Chosen appearance; absent: as the system. */
  theme: 'light' | 'dark'
  menuCollapsed: boolean
  /** Tasks home showed last: as tall is what stands there until they are known. */
  homeTasks: number
  /** Groups of the menu somebody has opened or folded. */
  menuGroups: Partial<Record<string, 'open' | 'folded'>>
  /** How lists are shown, by list: `{userId}/{list}`. */
  listSettings: Record<string, { hidden?: string[]; density?: 'compact' | 'comfortable' }>
  /** Epoch milliseconds at which a data screen's session ends. */
  expires: number
  /** The group that the last person of each register was put into. */
  lastGroup: Partial<Record<'staff' | 'customer', string>>
  /** Palm collector and printer this browser works with; see `deviceHere.ts`. */
  defaultCollector: DeviceHere
  defaultPrinter: DeviceHere
  /** Ids of the users who asked for no more notices of expired customers. */
  noMoreNotice: string[]
  /** By which the server knows this browser again at a login: failures from elsewhere do not lock it out. */
  knownDevice: string
  /** No alarm is heard in this browser, until somebody logs in anew. */
  alarmsMuted: boolean
  /** No tone is heard of passages in guard mode. */
  guardMuted: boolean
  /** Keys of alarms that have rung, so that one tab does; and of those closed, so that they do not come again. */
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

/** What is kept of tokens that were given at a moment. */
export const keptTokens = (tokens: Tokens, now: number): Pick<Stored, (typeof TOKEN_KEYS)[number]> => ({
  token: tokens.access_token,
  refreshToken: tokens.refresh_token,
  tokenExpires: now + tokens.expires_in * 1000,
  refreshExpires: now + tokens.refresh_expires_in * 1000,
})

/** Reads and writes localStorage; a value that does not parse counts as absent. */
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
  /** Ends a session here. What was typed but not saved stays for the same person, unless they log out themselves. */
  clear({ drafts }: { drafts: 'keep' | 'drop' }): void {
    const kept = OUTLIVES_LOGOUT.map((key) => [key, localStorage.getItem(key)] as const)
    localStorage.clear()
    if (drafts === 'drop') sessionStorage.clear()
    for (const [key, text] of kept) if (text !== null) localStorage.setItem(key, text)
  },
}

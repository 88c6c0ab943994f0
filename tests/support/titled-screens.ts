/**
 * Screens of monitoring and alarms (M09) that the specification names by a title, without an address of their own, and where they stand
 * in the console. Titles are those of the Chinese console.
 */
import type { ScreenName } from '../../apps/console/src/screens.ts'

export interface TitledScreen {
  /** As in screens.json. */
  id: `SCR-${number}`
  /** Address of the page it stands on. */
  at: string
  screen: ScreenName
  /** Heading of the page; empty: whichever it has. */
  title: string
  /** The tab that is open there. */
  tab?: string
  /** The dialog that opens from a row of the list, or from the menu of the user. */
  dialog?: 'row' | 'user'
}

const LISTS = [
  { at: '/monitorAlarm', screen: 'monitorAlarm', title: '人脸报警' },
  { at: '/deviceAlarm', screen: 'deviceAlarm', title: '设备报警' },
  { at: '/maintenanceAlarm', screen: 'maintenanceAlarm', title: '维护报警' },
  { at: '/AIBoxAlarm', screen: 'aiBoxAlarm', title: 'AI 盒子报警' },
  { at: '/ruleAlarm', screen: 'ruleAlarm', title: '规则报警' },
] as const satisfies readonly Omit<TitledScreen, 'id'>[]
const [faces, , maintenance, , rules] = LISTS

export const TITLED_SCREENS: readonly TitledScreen[] = [
  { id: 'SCR-115', at: '/faceTrack?view=captured', screen: 'faceTrack', title: '' },
  { id: 'SCR-116', at: '/faceTrack?view=identified', screen: 'faceTrack', title: '' },
  { id: 'SCR-117', at: '/faceTrack?view=track', screen: 'faceTrack', title: '' },
  { id: 'SCR-118', at: '/faceTrack?view=people', screen: 'faceTrack', title: '' },
  { id: 'SCR-153', ...faces },
  { id: 'SCR-154', ...rules },
  { id: 'SCR-155', ...maintenance },
  ...LISTS.flatMap((list): TitledScreen[] => [
    { id: 'SCR-157', ...list, dialog: 'row' },
    { id: 'SCR-158', ...list, at: `${list.at}?tab=handled`, tab: '已处理' },
    { id: 'SCR-159', ...list, at: `${list.at}?tab=unhandled`, tab: '未处理' },
  ]),
  { id: 'SCR-189', at: '/home', screen: 'home', title: '', dialog: 'user' },
]

/** Those that stand on a screen of another module, and are shown once that is built. */
export const TITLED_ELSEWHERE = [{ id: 'SCR-156', path: '/epidemicAlarm', module: 'M12 epidemic' }] as const

/** What the demo campus consists of, as data. */
import { ALWAYS_RULE_NAME } from '@gatehouse/contract/built-in-names'
import { DISTINCT_PORTRAITS } from '@gatehouse/face-engine'

export const COMPANY_NAME = '滨海产业园运营有限公司'
/** Seed of its people and of who comes when. */
export const SEED = 'binhai'
export const PARK = { name: '滨海产业园', zone: 'Asia/Shanghai' } as const

/** How much of the campus is made. */
export interface DemoSize {
  /** Persons made, from the beginning of the roster, which has two hundred. */
  persons: number
  /** Weeks of passages before the first start. */
  weeks: number
  /** Parts in which a simulated device sends its records; each is a step of the progress. */
  recordSteps: number
}
export const FULL_SIZE: DemoSize = { persons: 200, weeks: 5, recordSteps: 40 }

export interface Department {
  name: string
  /** Persons of the department, of two hundred in all. */
  persons: number
  rhythm: Rhythm
}

/** When people come and go; `rhythm.ts` defines each value. */
export type Rhythm = 'office' | 'maintenance' | 'cleaning' | 'catering' | 'deliveries' | 'shifts' | 'night'

/** Two levels of person groups. Security comes first: the demo terminal knows its people, who are drawn so that they can be told apart. */
export const DEPARTMENTS: readonly { name: string; below: readonly Department[] }[] = [
  {
    name: '园区运营中心',
    below: [
      { name: '安保部', persons: DISTINCT_PORTRAITS.length, rhythm: 'shifts' },
      { name: '秩序维护部', persons: 8, rhythm: 'shifts' },
      { name: '工程部', persons: 12, rhythm: 'maintenance' },
      { name: '客户服务部', persons: 10, rhythm: 'office' },
      { name: '保洁绿化部', persons: 12, rhythm: 'cleaning' },
    ],
  },
  {
    name: '海澜科技',
    below: [
      { name: '研发部', persons: 42, rhythm: 'office' },
      { name: '产品部', persons: 14, rhythm: 'office' },
      { name: '市场部', persons: 18, rhythm: 'office' },
      { name: '行政人事部', persons: 10, rhythm: 'office' },
    ],
  },
  {
    name: '启明生物',
    below: [
      { name: '实验室', persons: 20, rhythm: 'office' },
      { name: '质量部', persons: 10, rhythm: 'office' },
      { name: '生产部', persons: 18, rhythm: 'night' },
    ],
  },
  {
    name: '驻场服务商',
    below: [
      { name: '餐饮服务', persons: 12, rhythm: 'catering' },
      { name: '物流配送', persons: 8, rhythm: 'deliveries' },
    ],
  },
]

const EAST_GATE = '东门'
const SOUTH_GATE = '南门'

/** `DEMO-1` is a real software terminal, the others are simulated. */
export const DEVICES = [
  { code: 'DEMO-1', name: '东门入口', group: EAST_GATE, direction: 1 },
  { code: 'DEMO-2', name: '南门入口', group: SOUTH_GATE, direction: 1 },
  { code: 'DEMO-3', name: '南门出口', group: SOUTH_GATE, direction: 2 },
] as const
export type DemoDevice = (typeof DEVICES)[number]
export const [TERMINAL, ...SIMULATED] = DEVICES

/** Return the number of steps of the progress. */
export const stepsOf = ({ persons, recordSteps }: DemoSize): number => persons + SIMULATED.length * recordSteps

const WORKDAYS = [1, 2, 3, 4, 5]
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7]
const onDays = (weekdays: readonly number[], start: string, end: string) => weekdays.map((weekday) => ({ weekday, start, end }))

export const TIME_RULES = [
  { name: '办公时间', periods: [...onDays(WORKDAYS, '07:00', '22:00'), ...onDays([6], '08:30', '18:00')] },
  { name: '后勤时间', periods: onDays(EVERY_DAY, '04:00', '23:00') },
  { name: '夜班', periods: [...onDays(EVERY_DAY, '00:00', '09:30'), ...onDays(EVERY_DAY, '18:30', '24:00')] },
] as const

/** Only security may pass at the demo terminal: a visitor who registers is unknown there until permitted. */
export const STRATEGIES = [
  { name: '安保人员 全天通行', departments: ['安保部'], deviceCodes: ['DEMO-1'], deviceGroups: [SOUTH_GATE], timeRule: ALWAYS_RULE_NAME },
  { name: '秩序维护 全天通行', departments: ['秩序维护部'], deviceCodes: [], deviceGroups: [SOUTH_GATE], timeRule: ALWAYS_RULE_NAME },
  { name: '海澜科技 办公时间', departments: ['海澜科技'], deviceCodes: [], deviceGroups: [SOUTH_GATE], timeRule: '办公时间' },
  {
    name: '启明生物 办公时间',
    departments: ['实验室', '质量部', '客户服务部'],
    deviceCodes: [],
    deviceGroups: [SOUTH_GATE],
    timeRule: '办公时间',
  },
  { name: '生产部 夜班', departments: ['生产部'], deviceCodes: [], deviceGroups: [SOUTH_GATE], timeRule: '夜班' },
  {
    name: '后勤与服务商',
    departments: ['工程部', '保洁绿化部', '驻场服务商'],
    deviceCodes: [],
    deviceGroups: [SOUTH_GATE],
    timeRule: '后勤时间',
  },
] as const

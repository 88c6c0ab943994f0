/** The two hundred people of the demo campus, the same for the same seed. */
import { DISTINCT_PORTRAITS, portraitGender } from '@gatehouse/face-engine'
import { randomOf, type Random } from '@gatehouse/face-engine/portrait/random'
import { gender } from '@gatehouse/contract/enums'
import { DEPARTMENTS, type Department } from './campus.ts'

export interface DemoPerson {
  workNumber: string
  name: string
  sex: 'female' | 'male'
  /** Seed of the portrait. */
  face: number | string
  gender: number
  phone: string
  department: Department
  validFrom: number | null
  validTo: number | null
  disabled: boolean
  /** Epoch milliseconds since when the person no longer may pass, by validity or disabling. */
  leftAt: number | null
  hasPhoto: boolean
}

const DAY = 86_400_000

/** Surnames, the commonest first. */
const SURNAMES = [
  ...'王李张刘陈杨黄赵吴周徐孙马朱胡林郭何高罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤',
]
const COMMON_SURNAMES = SURNAMES.slice(0, 20)
const GIVEN_MALE = [
  '伟',
  '强',
  '磊',
  '军',
  '洋',
  '勇',
  '杰',
  '涛',
  '明',
  '超',
  '志强',
  '建国',
  '浩然',
  '子轩',
  '宇航',
  '俊杰',
  '文博',
  '海涛',
  '振华',
  '国栋',
  '家豪',
  '思远',
  '晓东',
  '立新',
  '天佑',
  '鹏飞',
  '永康',
  '景行',
  '嘉诚',
  '泽宇',
  '一鸣',
  '少华',
  '云飞',
  '学文',
  '新民',
  '锦程',
  '瑞霖',
  '正阳',
]
const GIVEN_FEMALE = [
  '芳',
  '娜',
  '敏',
  '静',
  '丽',
  '燕',
  '霞',
  '洁',
  '颖',
  '雪',
  '秀英',
  '桂兰',
  '雨涵',
  '欣怡',
  '梓涵',
  '诗琪',
  '晓燕',
  '丽华',
  '美玲',
  '婷婷',
  '佳怡',
  '思雨',
  '梦洁',
  '若曦',
  '雅静',
  '春梅',
  '慧敏',
  '玉兰',
  '月华',
  '清妍',
  '嘉欣',
  '海燕',
  '文静',
  '惠珍',
  '晨曦',
  '书瑶',
  '可心',
  '语嫣',
]

function nameOf(random: Random, sex: DemoPerson['sex'], taken: Set<string>): string {
  for (;;) {
    const surname = random.pick(random.chance(0.6) ? COMMON_SURNAMES : SURNAMES)
    const name = surname + random.pick(sex === 'male' ? GIVEN_MALE : GIVEN_FEMALE)
    if (taken.has(name)) continue
    taken.add(name)
    return name
  }
}

const PREFIXES = ['130', '135', '136', '137', '138', '139', '150', '158', '159', '176', '182', '186', '188', '189']

/** Places in the roster of people who need an administrator's attention: few, as in a park that is well kept. */
const WITHOUT_PHOTO: ReadonlySet<number> = new Set([67, 118, 172])
const ENDS_SOON: ReadonlySet<number> = new Set([53, 89, 143, 182])
const HAS_ENDED: ReadonlySet<number> = new Set([110, 191])

/** @param anchor epoch milliseconds the validities are counted from: the demo's first start */
export function rosterOf(seed: string, anchor: number): DemoPerson[] {
  const names = new Set<string>()
  const departments = DEPARTMENTS.flatMap(({ below }) => below).flatMap((department) =>
    Array.from({ length: department.persons }, () => department),
  )
  return departments.map((department, index) => {
    const random = randomOf(`${seed} person ${index}`)
    const distinct = DISTINCT_PORTRAITS[index]
    const drawn = random.chance(department.rhythm === 'shifts' ? 0.85 : 0.5) ? 'male' : 'female'
    const sex = distinct === undefined ? drawn : portraitGender(distinct)
    const [validFrom, validTo] = validityOf(index, random, anchor)
    const disabled = index % 41 === 40
    return {
      workNumber: `BH${String(index + 1).padStart(4, '0')}`,
      name: nameOf(random, sex, names),
      sex,
      face: distinct ?? `${seed} ${index}`,
      gender: sex === 'male' ? gender.male : gender.female,
      // The last four digits are the person's own, so that no two are alike.
      phone: `${random.pick(PREFIXES)}${String(Math.floor(random.next() * 10_000)).padStart(4, '0')}${String(1000 + index * 37)}`,
      department,
      validFrom,
      validTo,
      disabled,
      leftAt: disabled ? anchor - 3 * DAY : validTo,
      hasPhoto: !WITHOUT_PHOTO.has(index),
    }
  })
}

/**
 * Return the validity of a person. Most are valid without end; some until next year, a few until one of the next weeks, and a few are no
 * longer valid.
 */
function validityOf(index: number, random: Random, anchor: number): [number | null, number | null] {
  const from = anchor - Math.floor(random.between(60, 900)) * DAY
  if (ENDS_SOON.has(index)) return [from, anchor + Math.floor(random.between(6, 28)) * DAY]
  if (HAS_ENDED.has(index)) return [from, anchor - Math.floor(random.between(3, 9)) * DAY]
  return index % 3 === 0 ? [from, anchor + Math.floor(random.between(120, 700)) * DAY] : [null, null]
}

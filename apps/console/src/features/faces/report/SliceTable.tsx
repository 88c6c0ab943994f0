/** Each part of the gallery beside all of it: the rates with their intervals, drawn on one scale. */
import { WarningOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import type { FaceReport, MeasuredRate } from '@gatehouse/contract/faces/report'
import { gender } from '@gatehouse/contract/enums/people'
import { useEnumLabel } from '../../../kit/detail/EnumTag.tsx'
import { clearlyWorse, muchMoreOften, useRateWords } from '../rates.ts'
import styles from '../faces.module.css'
import reportStyles from './report.module.css'

const DIMENSIONS = ['all', 'group', 'gender', 'age', 'kind'] as const
/** Factor over the worst rate up to which an interval widens the scale; a wider one would leave no room for the other lines. */
const TIMES_WORST = 1.5

/** Return the rate at the right end of the scale. */
function endOf(rates: (MeasuredRate | null)[]): number {
  const measured = rates.filter((rate) => rate !== null)
  const worst = Math.max(...measured.map(({ rate }) => rate))
  return Math.min(Math.max(...measured.map(({ high }) => high)), worst > 0 ? worst * TIMES_WORST : Infinity) || 1
}

export function SliceTable({ slices }: { slices: Slice[] }) {
  const { t } = useTranslation('faces')
  const { number } = useRateWords()
  const nameOf = useSliceName()
  const all = slices.find(({ dimension }) => dimension === 'all')
  const ends = {
    stranger: endOf(slices.map(({ atDoor }) => atDoor.falseMatch)),
    own: endOf(slices.map(({ atDoor }) => atDoor.falseNonMatch)),
  }
  // A single part that contains all persons would repeat the first row.
  const isEverybody = (rows: Slice[]): boolean => rows.length === 1 && rows[0]?.persons === all?.persons
  const worse = slices.filter(
    ({ atDoor }) =>
      clearlyWorse(atDoor.falseMatch, all?.atDoor.falseMatch ?? null) ||
      clearlyWorse(atDoor.falseNonMatch, all?.atDoor.falseNonMatch ?? null),
  )
  const alike = slices.filter(({ atDoor }) => muchMoreOften(atDoor.falseMatch, all?.atDoor.falseMatch ?? null))
  return (
    <>
      <p className={styles.words}>{t('slices.words')}</p>
      {alike.length > 0 && (
        <p className={reportStyles.worse}>
          <WarningOutlined /> {t('slices.alike', { names: alike.map(nameOf).join(t('common:listSeparator')) })}
        </p>
      )}
      {worse.length > 0 && (
        <p className={reportStyles.worse}>
          <WarningOutlined /> {t('slices.worse', { names: worse.map(nameOf).join(t('common:listSeparator')) })}
        </p>
      )}
      <table className={reportStyles.slices}>
        <thead>
          <tr>
            <th scope="col">{t('slices.part')}</th>
            <th scope="col">{t('slices.photos')}</th>
            <th scope="col">{t('error.stranger')}</th>
            <th scope="col">{t('error.own')}</th>
          </tr>
        </thead>
        {DIMENSIONS.map((dimension) => {
          const rows = slices.filter((slice) => slice.dimension === dimension)
          if (rows.length === 0 || (dimension !== 'all' && isEverybody(rows))) return null
          return (
            <tbody key={dimension}>
              {dimension !== 'all' && (
                <tr>
                  <th scope="rowgroup" colSpan={4}>
                    {t(`slice.dimension.${dimension}`)}
                  </th>
                </tr>
              )}
              {rows.map((slice) => (
                <tr key={keyOf(slice)}>
                  <th scope="row">{nameOf(slice)}</th>
                  <td>{t('slices.of', { photos: number(slice.photos), persons: number(slice.persons) })}</td>
                  <td>
                    <Interval measured={slice.atDoor.falseMatch} say="rarely" end={ends.stranger} all={all?.atDoor.falseMatch ?? null} />
                  </td>
                  <td>
                    <Interval measured={slice.atDoor.falseNonMatch} say="often" end={ends.own} all={all?.atDoor.falseNonMatch ?? null} />
                  </td>
                </tr>
              ))}
            </tbody>
          )
        })}
      </table>
    </>
  )
}

interface IntervalProps {
  measured: MeasuredRate | null
  say: 'rarely' | 'often'
  end: number
  all: MeasuredRate | null
}

function Interval({ measured, say, end, all }: IntervalProps) {
  const { t } = useTranslation('faces')
  const words = useRateWords()
  if (measured === null) return <span className={styles.none}>{t('slices.noPairs')}</span>
  const positionOf = (rate: number): string => `${Math.min(1, rate / end) * 100}%`
  const bad = clearlyWorse(measured, all)
  return (
    <div className={reportStyles.interval} data-worse={bad || undefined}>
      <i aria-hidden="true">
        <i style={{ left: positionOf(measured.low), right: `calc(100% - ${positionOf(measured.high)})` }} />
        <b style={{ left: positionOf(measured.rate) }} />
        {all && <u style={{ left: positionOf(all.rate) }} />}
      </i>
      <span>
        {bad && <WarningOutlined aria-label={t('slices.clearlyWorse')} />} <b>{words[say](measured.rate)}</b>{' '}
        <small>{words.between(measured, say)}</small>
      </span>
    </div>
  )
}

export type Slice = FaceReport['slices'][number]

export const keyOf = ({ dimension, value }: Slice): string => `${dimension}/${value}`

/** Return a function that names a part of the gallery. */
export function useSliceName(): (slice: Slice) => string {
  const { t } = useTranslation('faces')
  const label = useEnumLabel()
  return ({ dimension, value, name }) => {
    if (name) return name
    if (dimension === 'all') return t('slice.everybody')
    if (dimension === 'gender') return label(gender, value)
    if (dimension === 'kind') return t(`slice.kind.${value}`, { defaultValue: value })
    return value ? t(`slice.${dimension}Of`, { value, defaultValue: value }) : t('slice.notSaid')
  }
}

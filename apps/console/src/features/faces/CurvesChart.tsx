/** The drawing of error curves: lines with confidence bands, and the chosen setting as a vertical line. Loaded separately. */
import { theme } from 'antd'
import { memo } from 'react'
import { Chart, chartText, chartTooltip, type Token } from '../../kit/media/Chart.tsx'
import type { Curve, CurvesProps } from './curve.ts'
import { useRateWords } from './rates.ts'
import styles from './faces.module.css'

/** Rates below it are drawn at the bottom: no site's gallery has measured a smaller rate. */
const FLOOR = 1e-6
const percent = (rate: number): string => `${Number((rate * 100).toPrecision(1))}%`

/** Return the lowest power of ten needed to show all rates above zero. */
function floorOf(curves: Curve[]): number {
  const rates = curves.flatMap(({ points }) => points.map(({ rate }) => rate)).filter((rate) => rate > 0)
  return Math.max(Math.log10(FLOOR), Math.floor(Math.log10(Math.min(0.1, ...rates))))
}

interface Drawn extends CurvesProps {
  token: Token
  say: (rate: number) => string
}

function optionOf({ curves, scale, axis, written, mark, token, say }: Drawn) {
  const text = chartText(token)
  const floor = floorOf(curves)
  // Powers of ten are drawn as exponents on a linear axis: bands can only be stacked on a linear one.
  const height = (rate: number): number => (scale === 'even' ? rate : Math.max(floor, Math.log10(Math.max(rate, FLOOR))))
  const top =
    scale === 'even'
      ? Math.ceil(Math.max(0.1, ...curves.flatMap(({ points }) => points.map(({ rate, high = rate }) => high))) * 10) / 10
      : 0
  const colour = { stranger: token.colorError, own: token.colorLink }
  const quiet = { type: 'line' as const, symbol: 'none', silent: true, tooltip: { show: false }, lineStyle: { opacity: 0 } }
  const bands = curves
    .filter(({ points }) => points.some(({ high }) => high !== undefined))
    .flatMap(({ kind, points }) => {
      const band = { ...quiet, stack: `band.${kind}`, stackStrategy: 'all' as const, z: 1 }
      const bounds = points.map(({ at, rate, low = rate, high = rate }) => ({ at, low: height(low), high: height(high) }))
      return [
        { ...band, data: bounds.map(({ at, low }) => [at, low]) },
        { ...band, data: bounds.map(({ at, low, high }) => [at, high - low]), areaStyle: { color: colour[kind], opacity: 0.16 } },
      ]
    })
  const ats = curves.flatMap(({ points }) => points.map(({ at }) => at))
  return {
    animation: false,
    grid: { left: 2, right: 14, top: 10, bottom: 22, outerBoundsMode: 'same' as const, outerBoundsContain: 'axisLabel' as const },
    tooltip: {
      ...chartTooltip(token),
      formatter: (hovered: unknown) => {
        const items = (hovered as { seriesName: string; value: [number, number]; seriesId: string }[]).filter(({ seriesId }) =>
          seriesId.startsWith('curve.'),
        )
        const at = items[0]?.value[0]
        if (at === undefined) return ''
        const rateAt = ({ seriesId, value }: (typeof items)[number]): number =>
          curves.find(({ kind }) => seriesId === `curve.${kind}`)?.points.find((point) => point.at === value[0])?.rate ?? 0
        return [`${axis} ${written(at)}`, ...items.map((item) => `${item.seriesName}: ${say(rateAt(item))}`)].join('<br>')
      },
    },
    xAxis: {
      type: 'value' as const,
      min: Math.min(...ats),
      max: Math.max(...ats),
      name: axis,
      nameLocation: 'middle' as const,
      nameGap: 24,
      nameTextStyle: text,
      axisLine: { onZero: false, lineStyle: { color: token.colorBorder } },
      splitLine: { show: false },
      axisLabel: { ...text, hideOverlap: true, formatter: written },
    },
    yAxis: {
      type: 'value' as const,
      min: scale === 'even' ? 0 : floor,
      max: top,
      interval: scale === 'even' ? undefined : 1,
      axisLabel: { ...text, formatter: (value: number) => percent(scale === 'even' ? value : 10 ** value) },
      splitLine: { lineStyle: { color: token.colorSplit } },
    },
    series: [
      ...bands,
      ...curves.map(({ kind, name, points }) => ({
        id: `curve.${kind}`,
        name,
        type: 'line' as const,
        z: 3,
        symbol: points.length > 12 ? 'none' : 'circle',
        symbolSize: 6,
        data: points.map(({ at, rate }) => [at, height(rate)]),
        lineStyle: { color: colour[kind], width: 2, type: kind === 'own' ? [6, 4] : ('solid' as const) },
        itemStyle: { color: colour[kind] },
      })),
      ...(mark
        ? [
            {
              ...quiet,
              id: 'mark',
              z: 2,
              data: [
                [mark.at, scale === 'even' ? 0 : floor],
                [mark.at, top],
              ],
              lineStyle: { color: token.colorText, width: 1.5, opacity: 1, type: [2, 3] },
            },
          ]
        : []),
    ],
  }
}

/** Return everything the drawing depends on; its functions change only with the language, as the names do. */
const seen = ({ curves, scale, axis, mark }: CurvesProps): string => JSON.stringify([curves, scale, axis, mark])

// Drawn again only when something has changed: a page that polls every second would remove the tooltip under the pointer.
export default memo(CurvesChart, (before, after) => seen(before) === seen(after))

function CurvesChart(props: CurvesProps) {
  const { token } = theme.useToken()
  const { often } = useRateWords()
  return <Chart option={optionOf({ ...props, token, say: often })} fresh className={styles.drawing} />
}

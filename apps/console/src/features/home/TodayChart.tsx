/**
 * The drawing of a day: entries upwards, exits downwards, an ordinary day as a thin line, and a mark at the current
 * hour. Loaded separately.
 */
import { theme } from 'antd'
import { MarkLineComponent } from 'echarts/components'
import { use } from 'echarts/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Chart, chartText, chartTooltip, type Token } from '../../kit/media/Chart.tsx'
import type { Hour } from './figures.ts'
import styles from './today.module.css'

use([MarkLineComponent])

/** Opacity of a day that is over. */
const QUIET = 0.55

interface Words {
  in: string
  out: string
  ordinary: string
  now: string
}
/** An hour, with the entries of an ordinary day where there is one to compare with. */
type Drawn = Hour & { ordinary?: number }

function optionOf(hours: readonly Drawn[], now: number | undefined, token: Token, words: Words) {
  const text = chartText(token)
  // Nothing is drawn for hours without passages and for hours to come.
  const past = (value: number, hour: number): number | null => ((now === undefined || hour <= now) && value !== 0 ? value : null)
  const isQuiet = now === undefined
  return {
    animation: !matchMedia('(prefers-reduced-motion: reduce)').matches,
    animationDuration: 300,
    grid: {
      left: 2,
      right: 2,
      top: isQuiet ? 10 : 24,
      bottom: 6,
      outerBoundsMode: 'same' as const,
      outerBoundsContain: 'axisLabel' as const,
    },
    tooltip: {
      ...chartTooltip(token),
      axisPointer: { type: 'shadow' as const, shadowStyle: { color: token.colorText, opacity: 0.05 } },
      valueFormatter: (value: unknown) => (typeof value === 'number' ? String(Math.abs(Math.round(value))) : '0'),
    },
    xAxis: {
      type: 'category' as const,
      data: hours.map(({ hour }) => `${String(hour).padStart(2, '0')}:00`),
      axisTick: { show: false },
      axisLine: { onZero: true, lineStyle: { color: token.colorBorder } },
      axisLabel: { ...text, interval: 2, hideOverlap: true },
    },
    yAxis: {
      type: 'value' as const,
      minInterval: 1,
      splitNumber: 3,
      axisLabel: { ...text, formatter: (value: number) => String(Math.abs(value)) },
      splitLine: { lineStyle: { color: token.colorSplit } },
    },
    series: [
      {
        name: words.in,
        type: 'bar' as const,
        stack: 'today',
        barWidth: '52%',
        z: 3,
        data: hours.map(({ hour, in: passed }) => past(passed, hour)),
        itemStyle: isQuiet ? { color: token.colorTextTertiary, opacity: QUIET } : { color: token.colorPrimary },
        ...(now !== undefined && {
          markLine: {
            silent: true,
            animation: false,
            symbol: 'none',
            data: [{ xAxis: now }],
            lineStyle: { color: token.colorLink, width: 1, type: 'solid' as const, opacity: 0.5 },
            label: { ...text, color: token.colorLink, opacity: 1, formatter: words.now, position: 'end' as const },
          },
        }),
      },
      {
        name: words.out,
        type: 'bar' as const,
        stack: 'today',
        z: 3,
        data: hours.map(({ hour, out }) => past(-out, hour)),
        itemStyle: isQuiet
          ? { color: 'transparent', borderColor: token.colorTextTertiary, borderWidth: 1.5, opacity: QUIET }
          : { color: token.controlItemBgActive, borderColor: token.colorLink, borderWidth: 1.5 },
      },
      {
        name: words.ordinary,
        type: 'line' as const,
        z: 1,
        smooth: 0.35,
        smoothMonotone: 'x' as const,
        symbol: 'none',
        data: hours.some(({ ordinary = 0 }) => ordinary > 0) ? hours.map(({ ordinary = 0 }) => ordinary) : [],
        lineStyle: { color: token.colorTextTertiary, width: 1, type: [3, 4] },
        itemStyle: { color: token.colorTextTertiary },
      },
    ],
  }
}

/** @param now current hour, 0 to 23; absent: the day is over and drawn faintly */
export default function TodayChart({ hours, now }: { hours: readonly Drawn[]; now?: number }) {
  const { t } = useTranslation('home')
  const { token } = theme.useToken()
  const option = useMemo(() => {
    const words = { ordinary: t('curve.ordinary'), now: t('curve.now') }
    const isQuiet = now === undefined
    return optionOf(hours, now, token, {
      ...words,
      in: t(isQuiet ? 'curve.previousIn' : 'curve.in'),
      out: t(isQuiet ? 'curve.previousOut' : 'curve.out'),
    })
  }, [hours, now, token, t])
  return <Chart option={option} className={styles.drawing} />
}

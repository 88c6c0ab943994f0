/** The drawing itself: entries upwards, exits downwards, the entries of an ordinary day as the quiet ground behind them. Loaded on its own. */
import { theme } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Chart, chartText, chartTooltip, type Token } from '../../kit/Chart.tsx'
import { hasOrdinary } from './pace.ts'
import type { Today } from './useCockpit.ts'
import styles from './home.module.css'

interface Words {
  in: string
  out: string
  ordinary: string
}

function optionOf(hours: Today['hours'], now: number, token: Token, words: Words) {
  const text = chartText(token)
  // Nothing is drawn where nobody passed, nor for hours still to come.
  const past = (value: number, hour: number): number | null => (hour <= now && value !== 0 ? value : null)
  return {
    animation: !matchMedia('(prefers-reduced-motion: reduce)').matches,
    animationDuration: 300,
    grid: { left: 2, right: 2, top: 10, bottom: 6, outerBoundsMode: 'same' as const, outerBoundsContain: 'axisLabel' as const },
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
        itemStyle: { color: token.colorPrimary },
      },
      {
        name: words.out,
        type: 'bar' as const,
        stack: 'today',
        z: 3,
        data: hours.map(({ hour, out }) => past(-out, hour)),
        itemStyle: { color: token.controlItemBgActive, borderColor: token.colorLink, borderWidth: 1.5 },
      },
      {
        name: words.ordinary,
        type: 'line' as const,
        z: 1,
        smooth: 0.35,
        smoothMonotone: 'x' as const,
        symbol: 'none',
        data: hasOrdinary(hours) ? hours.map(({ ordinary }) => ordinary) : [],
        lineStyle: { color: token.colorTextTertiary, width: 1.25, type: [4, 4] },
        itemStyle: { color: token.colorTextTertiary },
        areaStyle: { color: token.colorText, opacity: 0.08 },
      },
    ],
  }
}

/** @param now hour under way, 0 to 23; later ones have not come yet */
export default function TodayChart({ hours, now }: { hours: Today['hours']; now: number }) {
  const { t } = useTranslation('home')
  const { token } = theme.useToken()
  const option = useMemo(
    () => optionOf(hours, now, token, { in: t('curve.in'), out: t('curve.out'), ordinary: t('curve.ordinary') }),
    [hours, now, token, t],
  )
  return <Chart option={option} className={styles.drawing} />
}

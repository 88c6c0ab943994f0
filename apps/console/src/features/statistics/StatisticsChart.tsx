/**
 * The chart: allowed passages with refused ones on top. Bars of doors and groups are horizontal, since names need room. Loaded separately.
 */
import { theme } from 'antd'
import { useMemo } from 'react'
import { Chart, chartText, chartTooltip, type Token } from '../../kit/media/Chart.tsx'
import { usePrinting } from '../../kit/printing.ts'
import styles from './statistics.module.css'

export interface Bar {
  words: string
  allowed: number
  rejected: number
}

interface StatisticsChartProps {
  bars: readonly Bar[]
  lying: boolean
  allowed: string
  rejected: string
}

function optionOf({ bars, lying, allowed, rejected }: StatisticsChartProps, token: Token, printing: boolean) {
  const text = chartText(token)
  const names = {
    type: 'category' as const,
    data: bars.map(({ words }) => words),
    inverse: lying,
    axisTick: { show: false },
    axisLine: { lineStyle: { color: token.colorBorder } },
    axisLabel: { ...text, hideOverlap: true, ...(lying && { width: 160, overflow: 'truncate' as const }) },
  }
  const counts = {
    type: 'value' as const,
    minInterval: 1,
    splitNumber: 3,
    axisLabel: text,
    splitLine: { lineStyle: { color: token.colorSplit } },
  }
  const series = (name: string, data: number[], color: string) => ({
    name,
    type: 'bar' as const,
    stack: 'passages',
    barMaxWidth: 28,
    data,
    itemStyle: { color },
    // On paper there is no tooltip.
    label: {
      show: printing,
      color: token.colorBgBase,
      fontSize: 11,
      formatter: ({ value }: { value: unknown }) => (value === 0 ? '' : String(value)),
    },
    labelLayout: { hideOverlap: true },
  })
  return {
    animation: !printing && !matchMedia('(prefers-reduced-motion: reduce)').matches,
    animationDuration: 300,
    grid: { left: 2, right: 12, top: 10, bottom: 0, outerBoundsMode: 'same' as const, outerBoundsContain: 'axisLabel' as const },
    tooltip: { ...chartTooltip(token), axisPointer: { type: 'shadow' as const, shadowStyle: { color: token.colorText, opacity: 0.05 } } },
    xAxis: lying ? counts : names,
    yAxis: lying ? names : counts,
    series: [
      series(
        allowed,
        bars.map((bar) => bar.allowed),
        token.colorPrimary,
      ),
      series(
        rejected,
        bars.map((bar) => bar.rejected),
        token.colorError,
      ),
    ],
  }
}

export default function StatisticsChart({ bars, lying, allowed, rejected }: StatisticsChartProps) {
  const { token } = theme.useToken()
  const printing = usePrinting()
  const option = useMemo(
    () => optionOf({ bars, lying, allowed, rejected }, token, printing),
    [bars, lying, allowed, rejected, token, printing],
  )
  return <Chart option={option} fresh className={styles.drawing} />
}

/** The drawing itself: entries upwards, exits downwards, the entries of an ordinary day as the quiet ground behind them. Loaded on its own. */
import { theme } from 'antd'
import { BarChart, LineChart } from 'echarts/charts'
import { GridComponent, TooltipComponent } from 'echarts/components'
import { init, use, type ECharts } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Today } from './useCockpit.ts'
import styles from './home.module.css'

use([BarChart, LineChart, GridComponent, TooltipComponent, SVGRenderer])

type Token = ReturnType<typeof theme.useToken>['token']
interface Words {
  in: string
  out: string
  ordinary: string
}

function optionOf(hours: Today['hours'], now: number, token: Token, words: Words) {
  const text = { color: token.colorTextTertiary, fontFamily: getComputedStyle(document.body).fontFamily, fontSize: 12 }
  // Nothing is drawn where nobody passed, nor for hours still to come.
  const past = (value: number, hour: number): number | null => (hour <= now && value !== 0 ? value : null)
  return {
    animation: !matchMedia('(prefers-reduced-motion: reduce)').matches,
    animationDuration: 300,
    grid: { left: 2, right: 2, top: 10, bottom: 0, outerBoundsMode: 'same' as const, outerBoundsContain: 'axisLabel' as const },
    tooltip: {
      trigger: 'axis' as const,
      confine: true,
      axisPointer: { type: 'shadow' as const, shadowStyle: { color: token.colorText, opacity: 0.05 } },
      backgroundColor: token.colorBgElevated,
      borderColor: token.colorSplit,
      textStyle: { ...text, color: token.colorText, fontSize: 13 },
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
      { name: words.in, type: 'bar' as const, stack: 'today', barWidth: '52%', z: 3, data: hours.map(({ hour, in: passed }) => past(passed, hour)), itemStyle: { color: token.colorPrimary } },
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
        data: hours.map(({ ordinary }) => Math.round(ordinary)),
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
  const element = useRef<HTMLDivElement>(null)
  const chart = useRef<ECharts>(null)

  useEffect(() => {
    if (!element.current) return
    const drawn = init(element.current, null, { renderer: 'svg' })
    chart.current = drawn
    const observer = new ResizeObserver(() => drawn.resize())
    observer.observe(element.current)
    return () => {
      observer.disconnect()
      drawn.dispose()
    }
  }, [])
  useEffect(() => {
    chart.current?.setOption(optionOf(hours, now, token, { in: t('curve.in'), out: t('curve.out'), ordinary: t('curve.ordinary') }))
  }, [hours, now, token, t])

  return <div ref={element} className={styles.drawing} />
}

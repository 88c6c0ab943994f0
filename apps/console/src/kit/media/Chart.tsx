/** A chart as large as its container. The code that draws it is loaded separately: echarts is large. */
import type { theme } from 'antd'
import { BarChart, LineChart } from 'echarts/charts'
import { GridComponent, TooltipComponent } from 'echarts/components'
import { init, use, type ECharts } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { useEffect, useRef } from 'react'
import { usePrinting } from '../printing.ts'

use([BarChart, LineChart, GridComponent, TooltipComponent, SVGRenderer])

export type Token = ReturnType<typeof theme.useToken>['token']
export type ChartOption = Parameters<ECharts['setOption']>[0]

/** Width in pixels between the margins of an A4 page, upright. */
const PAPER_WIDTH = 702

/** Return the text style of a chart. */
export const chartText = (token: Token) => ({
  color: token.colorTextTertiary,
  fontFamily: getComputedStyle(document.body).fontFamily,
  fontSize: 12,
})

/** Return the tooltip of a chart. */
export const chartTooltip = (token: Token) => ({
  trigger: 'axis' as const,
  confine: true,
  backgroundColor: token.colorBgElevated,
  borderColor: token.colorSplit,
  textStyle: { ...chartText(token), color: token.colorText, fontSize: 13 },
})

/** @param option drawn again when it is another object @param fresh nothing of the former drawing is kept */
export function Chart({ option, fresh = false, className }: { option: ChartOption; fresh?: boolean; className?: string | undefined }) {
  const element = useRef<HTMLDivElement>(null)
  const chart = useRef<ECharts>(null)
  const printing = usePrinting()

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
    chart.current?.setOption(option, { notMerge: fresh })
  }, [option, fresh])
  // No observer reports the paper's width: the chart is drawn for a common one, and the picture is scaled to it.
  useEffect(() => {
    const [drawn, place] = [chart.current, element.current]
    if (!printing || !drawn || !place) return
    const height = place.clientHeight
    drawn.resize({ width: PAPER_WIDTH, height })
    place.querySelector('svg')?.setAttribute('viewBox', `0 0 ${PAPER_WIDTH} ${height}`)
    return () => {
      place.querySelector('svg')?.removeAttribute('viewBox')
      drawn.resize({ width: 'auto', height: 'auto' })
    }
  }, [printing])

  return <div ref={element} className={className} />
}

/** Rows that stand in for those still to come, as many and as tall as usual, so that nothing jumps. */
const ROWS = 12

export const skeletonOf = <Row extends { id: string }>() => ({
  dataSource: Array.from({ length: ROWS }, (_, at) => ({ id: `skeleton-${at}` }) as Row),
  pagination: false as const,
})

/** Settings of a device, kept in history, that decide who may pass at it. Without `released` in history the device was released. */
export const settingsOf = ({
  groupId,
  direction,
  type,
  released,
}: {
  groupId: string | null
  direction: number
  type: number
  released: boolean
}) => ({
  groupId,
  direction,
  type,
  ...(!released && { released }),
})

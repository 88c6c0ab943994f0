/** The alarm that a dialog shows now: it has no bubble besides, and other alarms do not cover the buttons by which it is handled. */
import { create } from 'zustand'

export const useDealtAlarm = create<{ id: string | undefined }>(() => ({ id: undefined }))

export const showDealtAlarm = (id: string | undefined): void => useDealtAlarm.setState({ id })

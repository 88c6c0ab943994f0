/** antd's date picker on the clock of the park: the day marked as today, the time that counts as now, the month it opens at. */
import dayjsGenerateConfig from '@rc-component/picker/generate/dayjs'
import generatePicker from 'antd/es/date-picker/generatePicker'
import type { Dayjs } from 'dayjs'
import { parkNow } from '../days.ts'

export const DatePicker = generatePicker<Dayjs>({ ...dayjsGenerateConfig, getNow: parkNow })

/** Days of a calendar file: chosen ones become special days of a rule once its form is saved. */
import { UploadOutlined } from '@ant-design/icons'
import { Alert, Button, Checkbox, Modal, Upload } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CALENDAR_FILE_MAX, type DataOf } from '@gatehouse/contract'
import { timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { Refusal, sentenceOf, sentenceOfIssue } from '../../../api/refusal.ts'
import { request } from '../../../api/request.ts'
import styles from './rules.module.css'

type Found = DataOf<typeof timeRuleCalls.readCalendar>

interface CalendarDialogProps {
  open: boolean
  close: () => void
  /** The list of special days they are added to, in words. */
  label: string
  /** Days that the rule has already. */
  there: readonly string[]
  add: (dates: string[]) => void
}

const WIDTH = 560

export default function CalendarDialog({ open, close, label, there, add }: CalendarDialogProps) {
  const { t } = useTranslation('strategies')
  const [chosen, setChosen] = useState<string[]>([])
  const offered = ({ days }: Found) => days.filter(({ date }) => !there.includes(date))
  const calendar = useCalendar((found) => setChosen(offered(found).map(({ date }) => date)))
  const { found } = calendar
  const fresh = found ? offered(found) : []
  return (
    <Modal
      open={open}
      title={`${t('calendar.title')}: ${label}`}
      width={WIDTH}
      centered
      destroyOnHidden
      okText={t('calendar.add', { count: chosen.length })}
      okButtonProps={{ disabled: chosen.length === 0 }}
      cancelText={t('common:cancel')}
      onCancel={close}
      onOk={() => {
        add(chosen)
        close()
      }}
    >
      <div className={styles.calendar}>
        <p>{t('calendar.words')}</p>
        <Upload
          accept=".ics,text/calendar"
          showUploadList={false}
          beforeUpload={(file) => {
            void calendar.read(file)
            return false
          }}
        >
          <Button icon={<UploadOutlined />} loading={calendar.pending}>
            {t('calendar.choose')}
          </Button>
        </Upload>
        {calendar.fault && <Alert type="error" showIcon role="alert" title={calendar.fault} />}
        {found && (
          <p role="status">
            {found.total === 0 ? t('calendar.none') : t('calendar.found', { count: found.total })}
            {found.total > found.days.length && ` ${t('calendar.first', { count: found.days.length })}`}
            {found.days.length > fresh.length && ` ${t('calendar.there', { count: found.days.length - fresh.length })}`}
          </p>
        )}
        {found && found.unread.length > 0 && (
          <Alert
            type="warning"
            showIcon
            title={t('calendar.unread', {
              names: found.unread.map((name) => name || t('calendar.unnamed')).join(t('common:listSeparator')),
            })}
          />
        )}
        {fresh.length > 0 && (
          <>
            <Checkbox
              checked={chosen.length === fresh.length}
              indeterminate={chosen.length > 0 && chosen.length < fresh.length}
              onChange={({ target }) => setChosen(target.checked ? fresh.map(({ date }) => date) : [])}
            >
              {t('calendar.all')}
            </Checkbox>
            <Checkbox.Group className={styles.found ?? ''} value={chosen} onChange={setChosen}>
              {fresh.map(({ date, summaries }) => (
                <Checkbox key={date} value={date}>
                  {date} <small>{summaries.join(t('common:listSeparator'))}</small>
                </Checkbox>
              ))}
            </Checkbox.Group>
          </>
        )}
      </div>
    </Modal>
  )
}

/** Return a function that has a file read by the server, which stores nothing of it. */
function useCalendar(onFound: (found: Found) => void) {
  const [{ found, fault, pending }, setState] = useState<{ found?: Found; fault?: string; pending: boolean }>({ pending: false })
  async function read(file: File): Promise<void> {
    if (file.size > CALENDAR_FILE_MAX)
      return setState({ pending: false, fault: sentenceOfIssue({ path: 'file', rule: 'max.file', params: { limit: CALENDAR_FILE_MAX } }) })
    setState({ pending: true })
    try {
      const answer = await request(timeRuleCalls.readCalendar, { body: {}, file }, { errors: 'inline' })
      setState({ found: answer, pending: false })
      onFound(answer)
    } catch (error) {
      const [issue] = error instanceof Refusal ? error.fields : []
      setState({ fault: issue ? sentenceOfIssue(issue) : sentenceOf(error), pending: false })
    }
  }
  return { found, fault, pending, read }
}

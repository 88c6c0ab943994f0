/** The dialog that makes a link: for anyone who has it, or for one person. */
import { Form, Segmented, TreeSelect } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ENROLMENT_LINK, type DataOf, type InputOf } from '@gatehouse/contract'
import { enrolmentCalls, type EnrolmentLink } from '@gatehouse/contract/enrolment/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { consoleAddress } from '../../kit/consoleAddress.ts'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { ready } from '../../kit/form/loaded.ts'
import { PersonField } from '../../shared/PersonField.tsx'
import { useRead } from '../../api/query.ts'
import { choicesOf } from '../../kit/form/treeChoices.ts'
import type { Editor } from '../../kit/form/useEditor.ts'
import { InstantField } from '../../kit/form/InstantField.tsx'
import styles from './enrolment.module.css'

export type MadeLink = DataOf<typeof enrolmentCalls.createLink>
type Fields = InputOf<typeof enrolmentCalls.createLink.body>
type Mode = 'anybody' | 'person'
/** There are no applications for the watch list. */
const KINDS = ['staff', 'customer'] as const

/** @param groupId group that is offered first @param personId person the link is for, unless another is chosen */
export default function LinkDialog({
  editor,
  groupId,
  personId,
  onMade,
}: {
  editor: Editor<EnrolmentLink>
  groupId?: string | undefined
  personId?: string | undefined
  onMade: (made: MadeLink) => void
}) {
  const { t } = useTranslation('enrolment')
  const [mode, setMode] = useState<Mode>(personId === undefined ? 'anybody' : 'person')
  return (
    <FormDialog
      call={enrolmentCalls.createLink}
      editor={editor}
      title={t('link.add')}
      submit={t('link.make')}
      width={520}
      initial={ready<Fields>({ kind: 'staff', groupId, personId, hours: ENROLMENT_LINK })}
      hidden={{ address: consoleAddress() }}
      placed={(path) => (path === 'groupId' && mode === 'person' ? 'personId' : path)}
      also={({ hours, expiresAt }) => (hours == null && expiresAt == null ? [{ path: 'expiresAt', rule: 'required' }] : [])}
      done={t('link.made')}
      draft="enrolment.link"
      onDone={onMade}
    >
      <LinkFields mode={mode} setMode={setMode} />
    </FormDialog>
  )
}

function LinkFields({ mode, setMode }: { mode: Mode; setMode: (mode: Mode) => void }) {
  const { t } = useTranslation('enrolment')
  const form = Form.useFormInstance<Fields>()
  const groups = useRead(peopleCalls.groupTree, { query: { type: 1 } })
  return (
    <>
      <div className={styles.modes}>
        <Segmented
          block
          aria-label={t('link.for')}
          value={mode}
          options={[
            { value: 'anybody', label: t('link.forAnybody') },
            { value: 'person', label: t('link.forPerson') },
          ]}
          onChange={(next: Mode) => {
            form.setFieldsValue({ groupId: null, personId: null })
            setMode(next)
          }}
        />
        <small>{t(mode === 'anybody' ? 'link.forAnybodyWords' : 'link.forPersonWords')}</small>
      </div>
      {mode === 'person' ? (
        <Form.Item name="personId" label={t('link.who')} required>
          <PersonChoice label={t('link.who')} />
        </Form.Item>
      ) : (
        <>
          <Form.Item name="kind" label={t('link.kindTitle')}>
            <Segmented aria-label={t('link.kindTitle')} options={KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))} />
          </Form.Item>
          <Form.Item name="groupId" label={t('link.group')} required>
            <TreeSelect
              treeData={choicesOf(groups.data ?? [])}
              loading={groups.isPending}
              treeDefaultExpandAll
              showSearch={{ treeNodeFilterProp: 'title' }}
              placeholder={t('link.chooseGroup')}
            />
          </Form.Item>
        </>
      )}
      <ValidityField />
    </>
  )
}

/** A `PersonField` for use in a form, which has null where no person is chosen. */
function PersonChoice({ value, onChange, label }: { value?: string | null; onChange?: (id: string | undefined) => void; label: string }) {
  return <PersonField value={value ?? undefined} except="" label={label} onChange={(id) => onChange?.(id)} />
}

/** Hours. */
const USUAL = [ENROLMENT_LINK, 24, 3 * 24, 7 * 24]
const CUSTOM = 'custom'

/** The end of validity of a link: a usual time from now, or a moment. */
function ValidityField() {
  const { t } = useTranslation('enrolment')
  const form = Form.useFormInstance<Fields>()
  const hours = Form.useWatch('hours', form)
  return (
    <>
      <Form.Item name="hours" label={t('link.validity')} extra={t('link.validityWords')}>
        <Hours choose={() => form.setFieldsValue({ expiresAt: null })} />
      </Form.Item>
      {hours === null && (
        <Form.Item name="expiresAt" label={t('link.validUntil')} required>
          <InstantField as="time" />
        </Form.Item>
      )}
    </>
  )
}

/** @param choose called before the value changes */
function Hours({ value, onChange, choose }: { value?: number | null; onChange?: (hours: number | null) => void; choose: () => void }) {
  const { t } = useTranslation('enrolment')
  return (
    <Segmented
      block
      aria-label={t('link.validity')}
      value={value ?? CUSTOM}
      options={[
        ...USUAL.map((hours) => ({
          value: hours as number | string,
          label: hours < 24 ? t('link.hours', { count: hours }) : t('link.days', { count: hours / 24 }),
        })),
        { value: CUSTOM, label: t('link.customEnd') },
      ]}
      onChange={(chosen) => {
        choose()
        onChange?.(chosen === CUSTOM ? null : Number(chosen))
      }}
    />
  )
}

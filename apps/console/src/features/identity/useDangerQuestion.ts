/** The question before a change of an account or an API user that takes access away. */
import { useTranslation } from 'react-i18next'
import { modal } from '../../kit/feedback.tsx'

interface DangerQuestion {
  title: string
  words: string
  okText: string
}

/** Return a function that asks the user, and calls `onOk` once they have agreed. */
export function useDangerQuestion(): (question: DangerQuestion, onOk: () => void) => void {
  const { t } = useTranslation()
  return ({ title, words, okText }, onOk) =>
    void modal.confirm({ title, content: words, okText, okButtonProps: { danger: true }, cancelText: t('common:cancel'), onOk })
}

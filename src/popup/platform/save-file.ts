/** Hands a file to the browser's downloads; characters that file systems refuse become dashes. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name.replace(/[\\/:*?"<>|\p{C}]/gu, '-')
  link.click()
  // The browser has taken the file up by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

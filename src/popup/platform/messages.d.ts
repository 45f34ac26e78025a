/** A part of the words of a language: vite.config.ts cuts it out of the file. */
declare module '*/messages.json?words=first' {
  const messages: { [key: string]: { message: string } }
  export default messages
}

declare module '*/messages.json?words=soon' {
  const messages: { [key: string]: { message: string } }
  export default messages
}

declare module '*/messages.json?words=rest' {
  const messages: { [key: string]: { message: string } }
  export default messages
}

declare module '*/messages.json?words=notice' {
  const messages: { [key: string]: { message: string } }
  export default messages
}

declare module '*/messages.json?words=help' {
  const messages: { [key: string]: { message: string } }
  export default messages
}

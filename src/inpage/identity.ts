export const NAME = 'Satchel'

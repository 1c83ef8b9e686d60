import { expect, test } from 'vitest';
import { layOut, nearest } from './chart';

const FRAME = { width: 600, height: 200, left: 40, bottom: 24 };
const points = (...ratings: number[]) => ratings.map((rating, i) => ({ at: i * 1000, rating }));

test('nothing to show is no chart', () => {
  expect(layOut([], FRAME)).toBeNull();
});

test('the line goes from the left to the right edge and stays between the levels', () => {
  const chart = layOut(points(1500, 1620, 1480, 1555), FRAME);
  expect(chart?.dots.map(({ x }) => x)).toEqual([40, 224, 408, 592]);
  const ys = chart?.dots.map(({ y }) => y) ?? [];
  expect(Math.min(...ys)).toBeGreaterThanOrEqual(8);
  expect(Math.max(...ys)).toBeLessThanOrEqual(176);
  expect(chart?.line.startsWith('M40 ')).toBe(true);
  expect(chart?.area.endsWith('L592 176L40 176Z')).toBe(true);
});

test('levels are round numbers around the ratings', () => {
  const levels = (...ratings: number[]) => layOut(points(...ratings), FRAME)?.levels.map(({ rating }) => rating);
  expect(levels(1500, 1620, 1480)).toEqual([1450, 1500, 1550, 1600, 1650]);
  expect(levels(1500)).toEqual([1460, 1480, 1500, 1520, 1540]);
  expect(levels(400, 2900)).toEqual([0, 1000, 2000, 3000]);
});

test('one game alone is a dot in the middle with its day', () => {
  const chart = layOut(points(1500), FRAME);
  expect(chart?.dots[0]?.x).toBe(316);
  expect(chart?.moments).toEqual([{ x: 316, at: 0 }]);
});

test('a narrow chart has fewer days at the bottom', () => {
  const days = (width: number) => layOut(points(1500, 1510), { ...FRAME, width })?.moments.length;
  expect([days(280), days(420), days(1200)]).toEqual([2, 3, 5]);
});

test('the pointer finds the game that is nearest', () => {
  const chart = layOut(points(1500, 1510, 1520), FRAME);
  if (chart === null) throw new Error('there are points');
  expect(nearest(chart, 0)?.point.rating).toBe(1500);
  expect(nearest(chart, 330)?.point.rating).toBe(1510);
  expect(nearest(chart, 9999)?.point.rating).toBe(1520);
});
